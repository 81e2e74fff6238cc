export { changeShareLink as action, readShareLink as loader } from './share.server';
