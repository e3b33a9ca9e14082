import './state/window/older-chromium.ts';
import '@fontsource-variable/inter';
import '@fontsource-variable/stix-two-text';
import '@fontsource-variable/stix-two-text/wght-italic.css';
import 'katex/dist/katex.min.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { loadAhead } from './state/canvas/layout.ts';
import { connect } from './state/window/connect.ts';

const target = document.getElementById('app');
if (!target) throw new Error('The page has no element #app.');
loadAhead();
mount(App, { target, props: { client: connect() } });
