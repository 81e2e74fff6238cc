export { downloadFile as loader } from '../features/tasks/task/task-file.server';
