export { changeState as action, loadState as loader } from '../features/secret-menu/secret-menu.server';
