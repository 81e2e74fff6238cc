export { renewUploadAction as action } from './upload-endpoints.server';
