export { hasRunningOwner, OWN_FILES } from './owned-files.js';
export { lowerSessionPriority } from './priority.js';
export { runProcess } from './run-process.js';
