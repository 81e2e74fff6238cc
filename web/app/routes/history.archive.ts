export { downloadChosen as loader } from '../features/tasks/history/selection/download.server';
