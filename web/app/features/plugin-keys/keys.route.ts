export { changeKeys as action, redirectToTab as loader } from './keys.server';
