/** `rel` and `type` of preloads and modules that wait for the page's important picture. */
export const LATER_PRELOAD = 'later-modulepreload';
export const LATER_MODULE = 'later-module';

/** Limit for slow connections. */
const MAX_WAIT_MS = 3_000;

/**
 * For the head of a page: starts waiting modules once the important picture is painted or has failed, or at the first
 * press, key or dragged file. Preloads request all files at once; the module alone would request them one after the other.
 */
export const START_SCRIPT = `addEventListener('DOMContentLoaded',function(){var d=document,m=d.querySelector('script[type=${LATER_MODULE}]'),p=d.querySelector('img[fetchpriority=high]');function start(){if(!m)return;d.querySelectorAll('link[rel=${LATER_PRELOAD}]').forEach(function(l){l.rel='modulepreload'});var s=d.createElement('script');s.type='module';s.nonce=m.nonce;s.text=m.text;m=null;d.head.append(s)}function painted(){requestAnimationFrame(function(){setTimeout(start)})}if(!p||d.hidden)return start();p.decode().then(painted,start);['pointerdown','keydown','dragenter'].forEach(function(e){addEventListener(e,start,{once:true,capture:true})});setTimeout(start,${MAX_WAIT_MS})})`;
