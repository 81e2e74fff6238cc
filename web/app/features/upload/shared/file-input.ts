export const FILE_INPUT_ID = 'upload-file';

/** The last element of the drop target. */
export const LIMITS_ID = 'upload-limits';
