export { lowerSessionPriority } from './priority.js';
export { runProcess } from './run-process.js';
