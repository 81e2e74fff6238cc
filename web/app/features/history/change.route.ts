export { changePhoto as action } from './change.server';
