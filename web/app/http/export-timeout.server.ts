import { inMilliseconds } from '@clearframe/contract';

/** The file is encoded before the answer. */
export const EXPORT_TIMEOUT_MS = inMilliseconds.seconds(25);
