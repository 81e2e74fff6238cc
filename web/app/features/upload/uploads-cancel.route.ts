export { cancelUploadAction as action } from './upload-endpoints.server';
