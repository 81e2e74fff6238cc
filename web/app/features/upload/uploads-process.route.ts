export { processUploadAction as action } from './upload-endpoints.server';
