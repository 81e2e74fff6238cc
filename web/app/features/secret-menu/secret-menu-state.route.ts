export { changeState as action, loadState as loader } from './secret-menu.server';
