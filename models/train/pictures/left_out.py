"""Representatives whose portraits are not used, besides those who were ever senators (members.py).

Governors of states and territories before or after, and people who ran for governor or senator, written down from
memory and generously: a person too many costs one portrait. Surname and given name without marks.
"""

LEFT_OUT = frozenset(
    name.strip()
    for name in """
    abercrombie neil, acevedovila anibal, allen george, andrews robert, armstrong kelly, baldacci john, barr andy,
    barr garland, barrett thomas, barrett tom, bass charles, bean aaron, becerra xavier, bell chris, bell robert,
    bentsen ken, berkley shelley, biggs andrew, biggs andy, bilbray brian, black diane, blagojevich rod,
    blanchard james, blaz ben, bonior david, bonner josiah, bordallo madeleine, boren dan, brennan joseph,
    brooks mo, brooks morris, brown anthony, bryant ed, byrne bradley, campbell carroll, carey hugh, carney john,
    carson brad, carter buddy, carter earl, castle michael, castle mike, clement bob, coburn thomas, collins leroy,
    collins michael, collins mike, cooper james, cooper jim, corrada baltasar, cox christopher, craig angela,
    craig angie, cramer kevin, crist charles, crist charlie, crockett jasmine, cruz andrew, davis artur,
    davis james, davis jim, davis lincoln, deal john, deal nathan, delgado antonio, delugo ron, desantis ron,
    donalds byron, duffy sean, dupont pierre, edmondson drew, edwards chet, edwards edwin, ehrlich robert,
    evans melvin, faleomavaega eni, fallin mary, feenstra randy, fernandez anthony, fleming bill, fleming john,
    fletcher ernest, fletcher ernie, florio james, fortuno luis, franks barney, franks bob, franks robert,
    fulcher russ, garcia joe, gianforte greg, gibbons james, gibbons jim, gingrich newt, gonzalez jenniffer,
    gonzalezcolon jenniffer, graham gwen, grasso ella, green mark, grisham michelle, grothman glenn, guam vicente,
    haaland deb, haaland debra, hageman harriet, hall katie, heller dean, higgins brian, higgins clay, hilleary van,
    hinson ashley, hochul kathleen, hochul kathy, hoekstra peter, hunt wesley, hurt robert, hutchinson asa,
    inslee jay, issa darrell, istook ernest, james john, janklow william, jindal bobby, jindal piyush,
    johnson dustin, johnson dusty, johnson william, jolly david, kasich john, kelly robin, kim young, kind ron,
    kind ronald, king bruce, king steve, king steven, klug scott, krishnamoorthi raja, labrador raul, landry jeff,
    landry jeffrey, largent steve, lawler michael, lawler mike, lazio rick, letlow julia, lowry michael, lowry mike,
    lujan grisham michelle, mace nancy, mackay buddy, mackay hervey, mackay kenneth, martin james, matheson james,
    matheson jim, mccallum scott, mckernan john, michaud michael, michaud mike, mills cory, moore arch, moore barry,
    moulton seth, noem kristi, norman ralph, norwood charlie, nunn zach, nunn zachary, nussle james, nussle jim,
    orourke beto, orourke robert, orr kay, otter butch, otter clement, pappas chris, pappas christopher,
    pearce stevan, pearce steve, peltola mary, pence michael, pence mike, pfluger august, pierluisi pedro,
    polis jared, porter katherine, porter katie, quie albert, richardson bill, richardson william, ridge thomas,
    ridge tom, riley bob, riley robert, roemer buddy, roemer charles, rogers michael, romerobarcelo carlos,
    rose john, rose max, rowland john, roy chip, ryan tim, ryan timothy, sablan gregorio, sanford mark,
    sanford marshall, schauer mark, schweikert david, sherrill mikie, sherrill rebecca, simpson mike,
    spanberger abigail, steele robert, stefanik elise, stevens haley, strickland ted, sundquist donald,
    suozzi thomas, swalwell eric, thone charles, tiffany thomas, tiffany tom, titus dina, treen david, tucker james,
    tucker jim, underwood robert, walker mark, walz tim, walz timothy, wamp zach, watts jc, watts julius,
    weicker lowell, wilson heather, wise bob, wise robert, zeldin lee,
    """.split(",")
    if name.strip()
)
