export { createUploadAction as action } from './upload-endpoints.server';
