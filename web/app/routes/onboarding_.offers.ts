export { loadOffersData as loader } from '../features/identity/onboarding/onboarding.server';
