/** The script in the head of every page: `?inline-script` (vite.config.ts) imports its text. */
import { detectScripts } from './detect-scripts';
import { markEarlyChoices } from './early-choices';
import { holdSubmissions } from './hold-submissions';
import { startScriptsAfterPicture } from './start-scripts';

// The content security policy forbids `eval`, with which Zod would compile parsers, and browsers report each try.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
detectScripts();
startScriptsAfterPicture();
holdSubmissions();
markEarlyChoices();
