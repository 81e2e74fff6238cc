import { Baseline1764300000000 } from './1764300000000-baseline.js';

/** In order of execution. */
export const MIGRATIONS = [Baseline1764300000000];
