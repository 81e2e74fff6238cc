export { loadOffersData as loader } from '../features/onboarding/onboarding.server';
