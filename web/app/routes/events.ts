export { recordEvents as action } from '../features/shell/events.server';
