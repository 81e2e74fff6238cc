export { processVideoAction as action } from './upload-endpoints.server';
