export { abandonUpload as action } from '../features/upload/script-uploads.server';
