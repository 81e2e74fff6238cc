export { loadConsentState as loader } from '../features/account/consent/consent.server';
