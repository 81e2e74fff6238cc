export { loadUploader as loader } from '../features/upload/server/uploader.server';
