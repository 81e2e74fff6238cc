/** `rel` and `type` of preloads and modules that wait for the page's important picture. */
export const DEFERRED_PRELOAD = 'later-modulepreload';
export const DEFERRED_MODULE = 'later-module';

/** Marks a form that is answered with a file: only the page's scripts can show what it changed. */
export const AWAITS_SCRIPTS = 'data-awaits-scripts';

/** Time in ms after which a slow connection waits neither for the picture nor for scripts. */
export const MAX_WAIT_MS = 3_000;
