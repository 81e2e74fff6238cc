/** Of the file input on the home page. */
export const FILE_INPUT_ID = 'upload-file';
