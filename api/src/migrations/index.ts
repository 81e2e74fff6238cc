import { MainJob1763712000000 } from './1763712000000-main-job.js';

/** In the order in which they run. */
export const MIGRATIONS = [MainJob1763712000000];
