export * from './log.config.js';
export { createLog, RootLog } from './log.js';
export * from './logging.module.js';
