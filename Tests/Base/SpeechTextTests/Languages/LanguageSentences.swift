/// Sentences that the table of languages was not made from, by language.
enum LanguageSentences {
  static let all: [(language: String, sentences: [String])] =
    text.split(separator: "\n\n").map { block in
      let lines = block.split(separator: "\n").map(String.init)
      return (lines[0], Array(lines.dropFirst()))
    }

  private static let text = """
    af
    Waar is die naaste stasie?
    Ek drink elke oggend koffie.
    Die kinders speel in die tuin.
    Sy woon al tien jaar in Kaapstad.
    Kan jy asseblief die venster oopmaak?
    Ons gaan môre see toe.
    Dit reën vandag baie.
    My broer werk by 'n skool.

    az
    Ən yaxın stansiya haradadır?
    Mən hər səhər qəhvə içirəm.
    Uşaqlar bağda oynayırlar.
    O on ildir Bakıda yaşayır.
    Zəhmət olmasa pəncərəni açın.
    Biz sabah dənizə gedirik.
    Bu gün çox yağış yağır.
    Qardaşım məktəbdə işləyir.

    ca
    On és l'estació més propera?
    Cada matí prenc un cafè.
    Els nens juguen al jardí.
    Fa deu anys que viu a Barcelona.
    Pots obrir la finestra, si us plau?
    Demà anirem a la platja.
    Avui plou molt.
    El meu germà treballa en una escola.

    cs
    Kde je nejbližší nádraží?
    Každé ráno piju kávu.
    Děti si hrají na zahradě.
    Bydlí v Praze už deset let.
    Můžete prosím otevřít okno?
    Zítra pojedeme k moři.
    Dnes hodně prší.
    Můj bratr pracuje ve škole.

    cy
    Ble mae'r orsaf agosaf?
    Rydw i'n yfed coffi bob bore.
    Mae'r plant yn chwarae yn yr ardd.
    Mae hi'n byw yng Nghaerdydd.
    Allwch chi agor y ffenestr, os gwelwch yn dda?
    Rydyn ni'n mynd i'r traeth yfory.
    Mae hi'n bwrw glaw heddiw.
    Mae fy mrawd yn gweithio mewn ysgol.

    da
    Hvor er den nærmeste station?
    Jeg drikker kaffe hver morgen.
    Børnene leger i haven.
    Hun har boet i København i ti år.
    Kan du åbne vinduet?
    Vi tager til stranden i morgen.
    Det regner meget i dag.
    Min bror arbejder på en skole.

    de
    Wo ist der nächste Bahnhof?
    Ich trinke jeden Morgen Kaffee.
    Die Kinder spielen im Garten.
    Sie wohnt seit zehn Jahren in Berlin.
    Können Sie bitte das Fenster öffnen?
    Morgen fahren wir ans Meer.
    Heute regnet es stark.
    Mein Bruder arbeitet in einer Schule.

    en
    Where is the nearest station?
    I drink coffee every morning.
    The children are playing in the garden.
    She has lived in London for ten years.
    Could you please open the window?
    We are going to the beach tomorrow.
    It is raining heavily today.
    My brother works at a school.

    eo
    Kie estas la plej proksima stacidomo?
    Mi trinkas kafon ĉiun matenon.
    La infanoj ludas en la ĝardeno.
    Ŝi loĝas en Varsovio de dek jaroj.
    Ĉu vi povas malfermi la fenestron?
    Morgaŭ ni veturos al la maro.
    Hodiaŭ multe pluvas.
    Mia frato laboras en lernejo.

    es
    ¿Dónde está la estación más cercana?
    Cada mañana tomo un café.
    Los niños juegan en el jardín.
    Ella vive en Madrid desde hace diez años.
    ¿Puede abrir la ventana, por favor?
    Mañana vamos a la playa.
    Hoy llueve mucho.
    Mi hermano trabaja en una escuela.

    et
    Kus on lähim jaam?
    Ma joon igal hommikul kohvi.
    Lapsed mängivad aias.
    Ta on elanud Tallinnas kümme aastat.
    Kas sa saaksid akna avada?
    Homme läheme mere äärde.
    Täna sajab palju vihma.
    Minu vend töötab koolis.

    eu
    Non dago geltokirik hurbilena?
    Goizero kafea hartzen dut.
    Haurrak lorategian jolasten dira.
    Hamar urte daramatza Bilbon bizitzen.
    Ireki dezakezu leihoa, mesedez?
    Bihar hondartzara joango gara.
    Gaur euri asko ari du.
    Nire anaiak eskola batean lan egiten du.

    fi
    Missä on lähin asema?
    Juon kahvia joka aamu.
    Lapset leikkivät puutarhassa.
    Hän on asunut Helsingissä kymmenen vuotta.
    Voisitko avata ikkunan?
    Huomenna menemme rannalle.
    Tänään sataa paljon.
    Veljeni on töissä koulussa.

    fr
    Où est la gare la plus proche ?
    Je bois du café tous les matins.
    Les enfants jouent dans le jardin.
    Elle habite à Paris depuis dix ans.
    Pouvez-vous ouvrir la fenêtre ?
    Demain nous allons à la plage.
    Il pleut beaucoup aujourd'hui.
    Mon frère travaille dans une école.

    ga
    Cá bhfuil an stáisiún is gaire?
    Ólaim caife gach maidin.
    Tá na páistí ag súgradh sa ghairdín.
    Tá sí ina cónaí i mBaile Átha Cliath.
    An féidir leat an fhuinneog a oscailt?
    Beimid ag dul go dtí an trá amárach.
    Tá sé ag cur báistí inniu.
    Oibríonn mo dheartháir i scoil.

    gd
    Càit a bheil an stèisean as fhaisge?
    Bidh mi ag òl cofaidh gach madainn.
    Tha a' chlann a' cluich anns a' ghàrradh.
    Tha i a' fuireach ann an Glaschu.
    Am fosgail thu an uinneag?
    Tha sinn a' dol dhan tràigh a-màireach.
    Tha an t-uisge ann an-diugh.
    Tha mo bhràthair ag obair ann an sgoil.

    hr
    Gdje je najbliža stanica?
    Svako jutro pijem kavu.
    Djeca se igraju u vrtu.
    Ona živi u Zagrebu već deset godina.
    Možete li otvoriti prozor, molim?
    Sutra idemo na more.
    Danas pada jaka kiša.
    Moj brat radi u školi.

    ht
    Ki kote estasyon ki pi pre a?
    Mwen bwè kafe chak maten.
    Timoun yo ap jwe nan jaden an.
    Li rete Pòtoprens depi dis lane.
    Èske ou ka louvri fenèt la?
    Demen nou pral nan plaj la.
    Lapli ap tonbe anpil jodi a.
    Frè mwen an travay nan yon lekòl.

    hu
    Hol van a legközelebbi állomás?
    Minden reggel kávét iszom.
    A gyerekek a kertben játszanak.
    Tíz éve Budapesten lakik.
    Kinyitná kérem az ablakot?
    Holnap a tengerpartra megyünk.
    Ma nagyon esik az eső.
    A bátyám egy iskolában dolgozik.

    id
    Di mana stasiun terdekat?
    Saya minum kopi setiap pagi.
    Anak-anak bermain di taman.
    Dia sudah tinggal di Jakarta selama sepuluh tahun.
    Bisa tolong buka jendelanya?
    Besok kita pergi ke pantai.
    Hari ini hujan deras.
    Kakak saya bekerja di sekolah.

    is
    Hvar er næsta stöð?
    Ég drekk kaffi á hverjum morgni.
    Börnin leika sér í garðinum.
    Hún hefur búið í Reykjavík í tíu ár.
    Gætir þú opnað gluggann?
    Við förum á ströndina á morgun.
    Það rignir mikið í dag.
    Bróðir minn vinnur í skóla.

    it
    Dov'è la stazione più vicina?
    Ogni mattina bevo un caffè.
    I bambini giocano in giardino.
    Lei abita a Roma da dieci anni.
    Può aprire la finestra, per favore?
    Domani andiamo al mare.
    Oggi piove molto.
    Mio fratello lavora in una scuola.

    lb
    Wou ass déi nächst Gare?
    Ech drénken all Moien Kaffi.
    D'Kanner spillen am Gaart.
    Si wunnt zënter zéng Joer zu Lëtzebuerg.
    Kënnt Dir w.e.g. d'Fënster opmaachen?
    Muer fuere mir op d'Plage.
    Haut reent et vill.
    Mäi Brudder schafft an enger Schoul.

    lt
    Kur yra artimiausia stotis?
    Kiekvieną rytą geriu kavą.
    Vaikai žaidžia sode.
    Ji jau dešimt metų gyvena Vilniuje.
    Ar galėtumėte atidaryti langą?
    Rytoj važiuosime prie jūros.
    Šiandien labai lyja.
    Mano brolis dirba mokykloje.

    lv
    Kur ir tuvākā stacija?
    Es katru rītu dzeru kafiju.
    Bērni spēlējas dārzā.
    Viņa dzīvo Rīgā jau desmit gadus.
    Vai jūs varētu atvērt logu?
    Rīt mēs brauksim uz jūru.
    Šodien stipri līst.
    Mans brālis strādā skolā.

    mi
    Kei hea te teihana tata rawa?
    Ka inu kawhe au i ia ata.
    Kei te tākaro ngā tamariki i te māra.
    Kei Tāmaki Makaurau ia e noho ana.
    Ka taea e koe te huaki te matapihi?
    Ka haere mātou ki te tātahi āpōpō.
    He nui te ua i tēnei rā.
    Kei te mahi taku tungāne i te kura.

    ms
    Di manakah stesen yang terdekat?
    Saya minum kopi setiap pagi.
    Kanak-kanak bermain di taman.
    Dia sudah tinggal di Kuala Lumpur selama sepuluh tahun.
    Boleh awak buka tingkap itu?
    Esok kita akan pergi ke pantai.
    Hari ini hujan lebat.
    Abang saya bekerja di sekolah.

    mt
    Fejn hi l-eqreb stazzjon?
    Nixrob il-kafè kull filgħodu.
    It-tfal qed jilagħbu fil-ġnien.
    Ilha tgħix il-Belt għaxar snin.
    Tista' tiftaħ it-tieqa, jekk jogħġbok?
    Għada se mmorru l-baħar.
    Illum ix-xita nieżla bil-kbir.
    Ħija jaħdem fi skola.

    nb
    Hvor er den nærmeste stasjonen?
    Jeg drikker kaffe hver morgen.
    Barna leker i hagen.
    Hun har bodd i Oslo i ti år.
    Kan du åpne vinduet?
    Vi skal til stranda i morgen.
    Det regner mye i dag.
    Broren min jobber på en skole.

    nl
    Waar is het dichtstbijzijnde station?
    Ik drink elke ochtend koffie.
    De kinderen spelen in de tuin.
    Zij woont al tien jaar in Amsterdam.
    Kunt u het raam openen, alstublieft?
    Morgen gaan we naar het strand.
    Het regent vandaag veel.
    Mijn broer werkt op een school.

    pl
    Gdzie jest najbliższy dworzec?
    Codziennie rano piję kawę.
    Dzieci bawią się w ogrodzie.
    Ona mieszka w Warszawie od dziesięciu lat.
    Czy może pan otworzyć okno?
    Jutro jedziemy nad morze.
    Dzisiaj mocno pada deszcz.
    Mój brat pracuje w szkole.

    pt
    Onde fica a estação mais próxima?
    Bebo café todas as manhãs.
    As crianças brincam no jardim.
    Ela mora em Lisboa há dez anos.
    Pode abrir a janela, por favor?
    Amanhã vamos à praia.
    Hoje chove muito.
    O meu irmão trabalha numa escola.

    ro
    Unde este cea mai apropiată gară?
    Beau cafea în fiecare dimineață.
    Copiii se joacă în grădină.
    Ea locuiește în București de zece ani.
    Puteți deschide fereastra, vă rog?
    Mâine mergem la mare.
    Astăzi plouă mult.
    Fratele meu lucrează la o școală.

    sk
    Kde je najbližšia stanica?
    Každé ráno pijem kávu.
    Deti sa hrajú v záhrade.
    Býva v Bratislave už desať rokov.
    Môžete prosím otvoriť okno?
    Zajtra pôjdeme k moru.
    Dnes veľmi prší.
    Môj brat pracuje v škole.

    sl
    Kje je najbližja postaja?
    Vsako jutro pijem kavo.
    Otroci se igrajo na vrtu.
    V Ljubljani živi že deset let.
    Ali lahko odprete okno, prosim?
    Jutri gremo na morje.
    Danes močno dežuje.
    Moj brat dela v šoli.

    sq
    Ku është stacioni më i afërt?
    Unë pi kafe çdo mëngjes.
    Fëmijët po luajnë në kopsht.
    Ajo jeton në Tiranë prej dhjetë vjetësh.
    A mund ta hapni dritaren, ju lutem?
    Nesër do të shkojmë në plazh.
    Sot bie shumë shi.
    Vëllai im punon në një shkollë.

    sv
    Var ligger närmaste stationen?
    Jag dricker kaffe varje morgon.
    Barnen leker i trädgården.
    Hon har bott i Stockholm i tio år.
    Kan du öppna fönstret, tack?
    Imorgon åker vi till stranden.
    Det regnar mycket idag.
    Min bror arbetar på en skola.

    sw
    Kituo cha karibu kiko wapi?
    Ninakunywa kahawa kila asubuhi.
    Watoto wanacheza bustanini.
    Ameishi Nairobi kwa miaka kumi.
    Unaweza kufungua dirisha tafadhali?
    Kesho tutaenda ufukweni.
    Leo mvua inanyesha sana.
    Kaka yangu anafanya kazi shuleni.

    tr
    En yakın istasyon nerede?
    Her sabah kahve içerim.
    Çocuklar bahçede oynuyor.
    On yıldır İstanbul'da yaşıyor.
    Lütfen pencereyi açar mısınız?
    Yarın denize gidiyoruz.
    Bugün çok yağmur yağıyor.
    Kardeşim bir okulda çalışıyor.

    uz
    Eng yaqin bekat qayerda?
    Men har kuni ertalab qahva ichaman.
    Bolalar bog'da o'ynayapti.
    U o'n yildan beri Toshkentda yashaydi.
    Iltimos, derazani oching.
    Ertaga biz dengizga boramiz.
    Bugun qattiq yomg'ir yog'yapti.
    Akam maktabda ishlaydi.

    vi
    Nhà ga gần nhất ở đâu?
    Tôi uống cà phê mỗi sáng.
    Bọn trẻ đang chơi trong vườn.
    Cô ấy sống ở Hà Nội mười năm rồi.
    Bạn mở cửa sổ giúp tôi được không?
    Ngày mai chúng tôi đi biển.
    Hôm nay trời mưa to.
    Anh trai tôi làm việc ở trường học.

    ru
    Где ближайшая станция?
    Каждое утро я пью кофе.
    Дети играют в саду.
    Она живёт в Москве уже десять лет.
    Откройте, пожалуйста, окно.
    Завтра мы поедем на море.
    Сегодня идёт сильный дождь.
    Мой брат работает в школе.

    uk
    Де найближча станція?
    Щоранку я п'ю каву.
    Діти граються в саду.
    Вона живе в Києві вже десять років.
    Відчиніть, будь ласка, вікно.
    Завтра ми поїдемо на море.
    Сьогодні йде сильний дощ.
    Мій брат працює в школі.

    be
    Дзе найбліжэйшая станцыя?
    Кожную раніцу я п'ю каву.
    Дзеці гуляюць у садзе.
    Яна жыве ў Мінску ўжо дзесяць гадоў.
    Адчыніце, калі ласка, акно.
    Заўтра мы паедзем на мора.
    Сёння ідзе моцны дождж.
    Мой брат працуе ў школе.

    bg
    Къде е най-близката гара?
    Всяка сутрин пия кафе.
    Децата играят в градината.
    Тя живее в София от десет години.
    Бихте ли отворили прозореца?
    Утре отиваме на море.
    Днес вали силно.
    Брат ми работи в училище.

    mk
    Каде е најблиската станица?
    Секое утро пијам кафе.
    Децата си играат во градината.
    Таа живее во Скопје десет години.
    Ве молам отворете го прозорецот.
    Утре одиме на море.
    Денес врне многу.
    Брат ми работи во училиште.

    kk
    Ең жақын станция қайда?
    Мен күн сайын таңертең кофе ішемін.
    Балалар бақшада ойнап жүр.
    Ол Алматыда он жыл тұрады.
    Терезені ашыңызшы.
    Ертең біз теңізге барамыз.
    Бүгін қатты жаңбыр жауып тұр.
    Менің ағам мектепте жұмыс істейді.

    ar
    أين أقرب محطة؟
    أشرب القهوة كل صباح.
    الأطفال يلعبون في الحديقة.
    هي تسكن في القاهرة منذ عشر سنوات.
    هل يمكنك فتح النافذة من فضلك؟
    غدا سنذهب إلى البحر.
    اليوم تمطر بغزارة.
    أخي يعمل في مدرسة.

    fa
    نزدیک‌ترین ایستگاه کجاست؟
    من هر روز صبح قهوه می‌نوشم.
    بچه‌ها در باغ بازی می‌کنند.
    او ده سال است که در تهران زندگی می‌کند.
    لطفا پنجره را باز کنید.
    فردا به دریا می‌رویم.
    امروز باران زیادی می‌بارد.
    برادرم در مدرسه کار می‌کند.

    ur
    قریب ترین اسٹیشن کہاں ہے؟
    میں ہر صبح کافی پیتا ہوں۔
    بچے باغ میں کھیل رہے ہیں۔
    وہ دس سال سے لاہور میں رہتی ہے۔
    براہ کرم کھڑکی کھول دیں۔
    کل ہم سمندر پر جائیں گے۔
    آج بہت بارش ہو رہی ہے۔
    میرا بھائی سکول میں کام کرتا ہے۔

    hi
    सबसे नज़दीकी स्टेशन कहाँ है?
    मैं हर सुबह कॉफ़ी पीता हूँ।
    बच्चे बगीचे में खेल रहे हैं।
    वह दस साल से दिल्ली में रहती है।
    कृपया खिड़की खोल दीजिए।
    कल हम समुद्र तट पर जाएँगे।
    आज बहुत बारिश हो रही है।
    मेरा भाई स्कूल में काम करता है।

    mr
    सर्वात जवळचे स्थानक कुठे आहे?
    मी रोज सकाळी कॉफी पितो.
    मुले बागेत खेळत आहेत.
    ती दहा वर्षांपासून पुण्यात राहते.
    कृपया खिडकी उघडा.
    उद्या आपण समुद्रावर जाऊ.
    आज खूप पाऊस पडत आहे.
    माझा भाऊ शाळेत काम करतो.

    ne
    सबैभन्दा नजिकको स्टेशन कहाँ छ?
    म हरेक बिहान कफी पिउँछु।
    केटाकेटीहरू बगैंचामा खेलिरहेका छन्।
    उनी दस वर्षदेखि काठमाडौंमा बस्छिन्।
    कृपया झ्याल खोल्नुहोस्।
    भोलि हामी पोखरा जान्छौं।
    आज धेरै पानी परिरहेको छ।
    मेरो भाइ विद्यालयमा काम गर्छ।

    el
    Πού είναι ο πιο κοντινός σταθμός;
    Κάθε πρωί πίνω καφέ.
    Σήμερα βρέχει πολύ.

    he
    איפה התחנה הקרובה?
    אני שותה קפה כל בוקר.
    היום יורד גשם חזק.

    ja
    一番近い駅はどこですか。
    毎朝コーヒーを飲みます。
    今日は雨がたくさん降っています。

    ko
    가장 가까운 역이 어디예요?
    저는 매일 아침 커피를 마셔요.
    오늘은 비가 많이 와요.

    zh
    最近的车站在哪里？
    我每天早上喝咖啡。
    今天下大雨。

    th
    สถานีที่ใกล้ที่สุดอยู่ที่ไหน
    ฉันดื่มกาแฟทุกเช้า
    วันนี้ฝนตกหนัก

    ka
    სად არის უახლოესი სადგური?
    ყოველ დილით ყავას ვსვამ.
    დღეს ძლიერ წვიმს.

    hy
    Որտե՞ղ է մոտակա կայարանը:
    Ամեն առավոտ սուրճ եմ խմում:
    Այսօր ուժեղ անձրև է:

    bn
    সবচেয়ে কাছের স্টেশন কোথায়?
    আমি প্রতিদিন সকালে কফি খাই।
    আজ খুব বৃষ্টি হচ্ছে।

    ta
    அருகிலுள்ள நிலையம் எங்கே?
    நான் தினமும் காலையில் காபி குடிக்கிறேன்.
    இன்று கனமழை பெய்கிறது.
    """
}
