export { loadOfferData as loader } from '../features/billing/offer/offer.server';
