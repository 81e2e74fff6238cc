export {
  finishFirebaseLogin as loader,
  repeatReturn as action,
} from './firebase-login.server';
