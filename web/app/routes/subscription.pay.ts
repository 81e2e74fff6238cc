export { leadToPayment as loader } from '../features/subscription/pay.server';
