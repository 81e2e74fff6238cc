export { changeKeys as action, redirectToTab as loader } from '../features/account/plugin-key/keys.server';
