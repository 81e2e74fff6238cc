export { finishUpload as action } from '../features/upload/script-uploads.server';
