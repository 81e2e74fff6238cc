export { changeVideo as action, readVideoJson as loader } from '../features/tasks/video/video-endpoints.server';
