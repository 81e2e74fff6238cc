export { changeState as action, loadState as loader } from '../features/settings/secret-menu/secret-menu.server';
