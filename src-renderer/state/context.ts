/** What the views hand down to their parts. */
import { createContext } from 'svelte';
import type { ViewActions } from './actions.ts';
import type { App } from './app.svelte.ts';
import type { CanvasState } from './canvas/canvas.svelte.ts';
import type { Studio } from './studio.svelte.ts';
import type { ElementLabels } from '../../src-main/contract/element-labels.ts';

export const [getApp, setApp] = createContext<App>();
export const [getStudio, setStudio] = createContext<Studio>();
export const [getCanvas, setCanvas] = createContext<CanvasState>();
/** By what elements are called in what is shown: a result has the labels that it was found with. */
export const [getLabels, setLabels] = createContext<() => ElementLabels>();
/** Filled in by the views that are on screen. */
export const [getViews, setViews] = createContext<ViewActions>();
