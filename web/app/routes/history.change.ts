export { changePhoto as action } from '../features/tasks/history/selection/change.server';
