export { orderLooks as action } from '../features/tasks/tools/looks/looks.server';
