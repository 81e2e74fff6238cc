export const FILE_INPUT_ID = 'upload-file';
