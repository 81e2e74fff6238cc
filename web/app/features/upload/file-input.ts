export const FILE_INPUT_ID = 'upload-file';

/** The last element of the drop target. */
export const LIMITS_ID = 'upload-limits';

/** No effect on pages without the input. */
export const openFileChooser = (inputId = FILE_INPUT_ID): void => document.getElementById(inputId)?.click();
