export { addToUploadAction as action } from './upload-endpoints.server';
