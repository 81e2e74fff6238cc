export { createVideoAction as action } from './upload-endpoints.server';
