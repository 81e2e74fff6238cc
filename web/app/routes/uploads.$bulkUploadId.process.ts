export { finishUpload as action } from '../features/upload/server/script-uploads.server';
