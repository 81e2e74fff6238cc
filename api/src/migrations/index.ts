import { Baseline1764300000000 } from './1764300000000-baseline.js';
import { DueDownloads1764360000000 } from './1764360000000-due-downloads.js';

/** In order of execution. */
export const MIGRATIONS = [Baseline1764300000000, DueDownloads1764360000000];
