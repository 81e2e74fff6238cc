export { renewUploadAction as action } from '../features/upload/server/upload-endpoints.server';
