import { Clearframe } from '@clearframe/client';

const clearframe = new Clearframe({ baseUrl: 'https://clearframe.example' });
console.log(JSON.stringify(await clearframe.analyze('photo.jpg')));
