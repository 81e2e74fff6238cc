export * from './health.module.js';
export { Readiness, type ReadinessReport } from './readiness.js';
export * from './readiness-check.js';
