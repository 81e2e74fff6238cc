export { downloadChosen as loader } from './download.server';
