export { loadUploader as loader } from './uploader.server';
