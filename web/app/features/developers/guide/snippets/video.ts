import { Clearframe } from '@clearframe/client';

const clearframe = new Clearframe({ baseUrl: 'https://clearframe.example' });
const task = await clearframe.video('video.mp4', { faces: true, wait: false });
console.log(JSON.stringify(task));
