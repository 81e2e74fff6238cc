import { MainJob1763712000000 } from './1763712000000-main-job.js';
import { Accounts1763720000000 } from './1763720000000-accounts.js';

/** In the order in which they run. */
export const MIGRATIONS = [MainJob1763712000000, Accounts1763720000000];
