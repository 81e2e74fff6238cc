export { changeShareLink as action, readShareLink as loader } from '../features/tasks/sharing/share.server';
