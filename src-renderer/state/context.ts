/** What the views hand down to their parts. */
import { createContext } from 'svelte';
import type { ViewActions } from './actions.ts';
import type { App } from './app.svelte.ts';
import type { CanvasState } from './canvas/canvas.svelte.ts';
import type { Studio } from './studio.svelte.ts';

export const [getApp, setApp] = createContext<App>();
export const [getStudio, setStudio] = createContext<Studio>();
export const [getCanvas, setCanvas] = createContext<CanvasState>();
/** Filled in by the views that are on screen. */
export const [getViews, setViews] = createContext<ViewActions>();
