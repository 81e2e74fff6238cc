export { loadOfferData as loader } from './offer.server';
