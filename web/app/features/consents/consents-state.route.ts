export { loadConsentState as loader } from './consent.server';
